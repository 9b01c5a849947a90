import type { Room } from "./room/room.ts";

/** Bindings and variables of the Worker. All variables are optional. */
export interface Env {
  ROOMS: DurableObjectNamespace<Room>;
  /** The platform's approximate rate limits. Unbound: not limited. */
  LIMIT_CREATE?: RateLimit;
  LIMIT_JOIN?: RateLimit;
  LIMIT_CALLS?: RateLimit;
  /** `off` lifts every limit on rates; anything else keeps them. */
  RATE_LIMITS?: string;
  /** Where the public sees this deployment; `humanUrl` is built from it, else from the request's own origin. */
  PUBLIC_ORIGIN?: string;
  /** Host names that `/api/*` answers to, separated by commas; unset: any. Keeps a rebound DNS name from a local server. */
  ALLOWED_HOSTS?: string;
  /** Where set, only its bearer may create Rooms. */
  ROOM_CREATION_KEY?: string;
  /** Seconds that people have to answer where a request names none; default 300. */
  EXPIRES_IN_DEFAULT_S?: string;
  /** The most seconds that a request may name; at most, and by default, 86400. */
  EXPIRES_IN_MAX_S?: string;
  /** Seconds after which a Room with nobody in it ends; default 86400. */
  ROOM_IDLE_S?: string;
}
