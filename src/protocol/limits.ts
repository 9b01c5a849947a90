// Every bound of the protocol, by name. Sizes of text are UTF-8 bytes, durations milliseconds.

const KIB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A POST body: the largest tool call, its options, and room for the rest. */
export const BODY_BYTES = 1024 * KIB;
/** One inbound socket frame. Larger requests go by POST, so that a socket never buffers a megabyte. */
export const FRAME_BYTES = 64 * KIB;

/** One tool call, serialised by the Worker. Agents send a whole new file twice: 820 kB was measured. */
export const TOOL_CALL_BYTES = 960 * KIB;
/** Nesting of a tool call, itself being 1: far above any agent's, far below where a recursive walk overflows. */
export const TOOL_CALL_DEPTH = 64;
/** Objects, arrays and scalars in a tool call: bounds what a page has to draw. */
export const TOOL_CALL_NODES = 20_000;
/** A body around a tool call is one level deeper than it. */
export const BODY_DEPTH = TOOL_CALL_DEPTH + 1;
export const TOOL_CALL_ID_BYTES = 512;

/** Up to here a frame carries the tool call whole; above it only a summary, and the page fetches the rest. */
export const INLINE_TOOL_CALL_BYTES = 32 * KIB;
/** Tool calls carried whole in one `welcome`, pending cards first. */
export const WELCOME_TOOL_CALL_BYTES = 512 * KIB;
export const REFERENCE_TITLE_BYTES = 2 * KIB;
export const REFERENCE_KIND_BYTES = 64;
export const REFERENCE_LOCATIONS = 20;
export const REFERENCE_LOCATION_BYTES = 1 * KIB;

/** Names of what was left out of a card by reference; more, and longer ones, are only counted. */
export const REFERENCE_CUT_NAMES = 32;
export const REFERENCE_CUT_NAME_BYTES = 64;

/** Tool calls stored in a Room; beyond it the oldest settled bodies go first. */
export const ROOM_TOOL_CALL_BYTES = 64 * 1024 * KIB;

export const OPTIONS = 32;
/** All options of one request together, serialised. */
export const OPTIONS_BYTES = 32 * KIB;
export const OPTION_ID_BYTES = 512;
export const OPTION_NAME_BYTES = 2048;
export const OPTION_KIND_BYTES = 64;

export const TURN_ID_BYTES = 64;
export const REF_BYTES = 64;
/** Participant and Room names, in code points. */
export const NAME_CODE_POINTS = 80;
/** A name as sent, before it is cleaned: bounds the work of cleaning it. */
export const NAME_BYTES = 4 * KIB;
export const MESSAGE_BYTES = 4000;
export const MESSAGES_KEPT = 50;
export const MESSAGE_BURST = 5;
export const MESSAGE_INTERVAL_MS = 1 * SECOND;

export const EXPIRES_IN_DEFAULT_MS = 5 * MINUTE;
export const EXPIRES_IN_MIN_MS = 1 * SECOND;
export const EXPIRES_IN_MAX_MS = 24 * HOUR;
/** A settlement that waits for its resident is kept at least this long before it counts as not applied. */
export const DELIVERY_GRACE_MS = 1 * MINUTE;
/** How long a resident's own fallback timer outlasts the Room's deadline: the Room alone judges it. */
export const SILENT_ROOM_GRACE_MS = 10 * SECOND;
/** With every socket cut at once (a deploy), people get this long to come back before `no_human`. */
export const NO_HUMAN_GRACE_MS = 10 * SECOND;

export const PENDING_PER_RESIDENT = 64;
export const PENDING_PER_ROOM = 256;
/** Beyond PENDING_PER_ROOM only a resident with fewer than this many may open one more. */
export const PENDING_ALWAYS_PER_RESIDENT = 4;
export const RECORDS_PER_ROOM = 10_000;
export const RECENT_CARDS = 50;

/** Invites ever minted in a Room; the first two come with it. */
export const INVITES = 1000;
export const PARTICIPANTS = 600;
/** Of those, places that residents cannot take: somebody must be able to come in and answer, or to remove them. */
export const PLACES_FOR_HUMANS = 100;
export const HUMANS_PRESENT = 500;
export const RESIDENTS_PRESENT = 100;
export const SOCKETS_PER_HUMAN = 16;

export const RESUME_IDS = 256;
export const TOMBSTONES_PER_RESIDENT = 256;
export const TOMBSTONE_MS = 10 * MINUTE;

export const WAIT_MAX_MS = 30 * SECOND;
export const LONG_POLLS_PER_PARTICIPANT = 4;
export const LONG_POLLS_PER_ROOM = 64;

/** Clients ping this often; a socket silent for SOCKET_FRESH_MS is not present. */
export const PING_INTERVAL_MS = 30 * SECOND;
/** A client without a pong for this long shows itself offline. */
export const PONG_TIMEOUT_MS = 10 * SECOND;
export const SOCKET_FRESH_MS = 90 * SECOND;
/** A participant without a socket counts as present this long after a call over HTTP. */
export const CALL_FRESH_MS = 60 * SECOND;
/** A call over HTTP is stored at most this often: every store is an fsync. */
export const CALL_STORE_INTERVAL_MS = 30 * SECOND;

export const FRAME_BURST = 60;
export const FRAMES_PER_SECOND = 20;
export const FRAME_ABUSE_REJECTIONS = 100;
export const FRAME_ABUSE_WINDOW_MS = 10 * SECOND;

/** Life of a Room that nobody joined, that nobody is in, and of any. */
export const ROOM_UNJOINED_MS = 1 * HOUR;
export const ROOM_IDLE_MS = 24 * HOUR;
export const ROOM_MAX_MS = 30 * DAY;
