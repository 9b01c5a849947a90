-- One Room is one database. Times are epoch milliseconds by the Room's clock.

CREATE TABLE room (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  room_id    TEXT NOT NULL,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The first participant's joining, whoever has left since.
  joined_at  INTEGER,
  -- Set in the block that settles everything; whoever finds it finishes the ending.
  closed_at  INTEGER,
  -- Since when nobody is present and nothing is pending or waiting.
  idle_since INTEGER,
  -- A human's socket was accepted, and the last one has not ended with an event: a deploy cuts sockets without one.
  humans_here INTEGER NOT NULL DEFAULT 0 CHECK (humans_here IN (0, 1))
) STRICT;

CREATE TABLE participant (
  participant_id TEXT PRIMARY KEY,
  role           TEXT NOT NULL CHECK (role IN ('human', 'resident')),
  name           TEXT NOT NULL,
  -- What two names must not share to be told apart.
  name_key       TEXT NOT NULL UNIQUE,
  joined_at      INTEGER NOT NULL,
  -- Last call over HTTP, stored now and then: all that is known of a participant without a socket.
  called_at      INTEGER NOT NULL,
  -- As last announced.
  is_present     INTEGER NOT NULL DEFAULT 0 CHECK (is_present IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Invites (no participant) and participant tokens. Only hashes: a copy of this table lets nobody in.
CREATE TABLE credential (
  hash           TEXT PRIMARY KEY,
  kind           TEXT NOT NULL CHECK (kind IN ('hi', 'ri', 'ht', 'rt')),
  participant_id TEXT REFERENCES participant (participant_id),
  created_at     INTEGER NOT NULL,
  CHECK ((kind IN ('hi', 'ri')) = (participant_id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE card (
  seq              INTEGER PRIMARY KEY,
  request_id       TEXT NOT NULL UNIQUE,
  resident_id      TEXT NOT NULL,
  resident_name    TEXT NOT NULL,
  content_hash     TEXT NOT NULL,
  turn_id          TEXT,
  -- JSON as the Worker serialised it once; the size and the hash are of exactly these bytes.
  tool_call         TEXT,
  -- What a card by reference shows of it.
  tool_call_summary TEXT,
  tool_call_bytes   INTEGER NOT NULL,
  tool_call_sha256  TEXT NOT NULL,
  options          TEXT NOT NULL,
  opened_at        INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL,
  max_expires_at   INTEGER,
  expires_in_ms    INTEGER NOT NULL,
  -- When a card whose resident does not wait in an empty Room is withdrawn, unless a human is present then.
  no_human_at      INTEGER,
  state            TEXT NOT NULL CHECK (state IN ('pending', 'decided', 'dismissed', 'expired', 'withdrawn')),
  settlement       TEXT,
  settled_at       INTEGER,
  delivery         TEXT NOT NULL CHECK (delivery IN ('none', 'waiting', 'sent', 'applied', 'not_applied')),
  delivery_at      INTEGER NOT NULL,
  -- Until when a waiting settlement is worth delivering.
  deliver_by       INTEGER,
  CHECK ((state = 'pending') = (settlement IS NULL)),
  CHECK ((state = 'pending') = (settled_at IS NULL)),
  CHECK ((delivery = 'none') = (state IN ('pending', 'withdrawn')))
) STRICT;

CREATE INDEX card_pending ON card (expires_at) WHERE state = 'pending';
CREATE INDEX card_no_human ON card (no_human_at) WHERE no_human_at IS NOT NULL;
CREATE INDEX card_waiting ON card (deliver_by) WHERE delivery = 'waiting';
CREATE INDEX card_settled ON card (settled_at) WHERE state <> 'pending';

-- Talk: the newest few.
CREATE TABLE message (
  seq            INTEGER PRIMARY KEY,
  message_id     TEXT NOT NULL UNIQUE,
  participant_id TEXT NOT NULL,
  name           TEXT NOT NULL,
  role           TEXT NOT NULL CHECK (role IN ('human', 'resident')),
  text           TEXT NOT NULL,
  addressee      TEXT,
  at             INTEGER NOT NULL
) STRICT;

-- Withdrawals that came before their own request.
CREATE TABLE tombstone (
  request_id  TEXT PRIMARY KEY,
  resident_id TEXT NOT NULL,
  reason      TEXT NOT NULL,
  at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstone_of_resident ON tombstone (resident_id, at);
