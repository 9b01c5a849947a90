import * as example from "./examples.ts";
import {
  ANY,
  ANYONE,
  BODY,
  COUNTED,
  EMPTY,
  HUMAN,
  json,
  named,
  PARTICIPANT,
  type Operation,
  type Success,
} from "./operation.ts";

const DONE: Readonly<Record<number, Success>> = { 204: { description: "Done." } };

/** The Room itself, and who is in it. */
export const ROOM_OPERATIONS: readonly Operation[] = [
  {
    method: "get",
    path: "/api/health",
    id: "getHealth",
    summary: "What is running here",
    bearers: ANYONE,
    successes: {
      200: {
        description: "It runs.",
        content: json("Health", { health: { status: "ok", version: "0.1.0", protocol: 1 } }),
      },
    },
    errors: ANY,
  },
  {
    method: "get",
    path: "/api/openapi.json",
    id: "getOpenApi",
    summary: "This document",
    bearers: ANYONE,
    successes: {
      200: {
        description: "OpenAPI 3.1.",
        content: { "application/json": { schema: { type: "object" } } },
      },
    },
    errors: ANY,
  },
  {
    method: "get",
    path: "/api/frames.json",
    id: "getFrames",
    summary: "JSON Schema of every frame on the socket, in both directions",
    bearers: ANYONE,
    successes: {
      200: {
        description: "JSON Schema, draft 2020-12, with an example of every frame.",
        content: { "application/json": { schema: { type: "object" } } },
      },
    },
    errors: ANY,
  },
  {
    method: "post",
    path: "/api/rooms",
    id: "createRoom",
    summary: "Create a Room",
    description:
      "Anyone may, or only the holder of the deployment's creation key where it set one. Sends no CORS headers: pages of another origin cannot create Rooms.",
    bearers: ["nobody", "creationKey"],
    body: {
      schema: named("CreateRoom"),
      examples: { named: { name: "Release night" }, unnamed: {} },
    },
    successes: {
      201: {
        description: "The Room and its two invites. They are shown once; the Room keeps hashes.",
        content: json("RoomCreated", {
          named: {
            roomId: example.ROOM_ID,
            name: "Release night",
            humanInvite: example.HUMAN_INVITE,
            residentInvite: example.RESIDENT_INVITE,
            humanUrl: `${example.ORIGIN}/r#${example.HUMAN_INVITE}`,
            createdAt: 1_764_518_300_000,
          },
        }),
      },
    },
    errors: [...ANY, ...BODY, "unauthorized", "rate_limited", "unavailable"],
  },
  {
    method: "post",
    path: "/api/room/join",
    id: "joinRoom",
    summary: "Trade an invite for a participant token",
    description:
      "The role is the invite's. Joining grants nothing but the role's own calls: no card changes by it.",
    bearers: ["invite"],
    body: {
      schema: named("JoinRoom"),
      examples: { human: { name: "Ana" }, resident: { name: "claude" } },
    },
    successes: {
      201: {
        description: "You, and your token.",
        content: json("RoomJoined", {
          human: {
            roomId: example.ROOM_ID,
            participantId: example.ANA.participantId,
            role: "human",
            name: example.ANA.name,
            token: example.ANAS_TOKEN,
          },
          resident: {
            roomId: example.ROOM_ID,
            participantId: example.CLAUDE.participantId,
            role: "resident",
            name: example.CLAUDE.name,
            token: example.CLAUDES_TOKEN,
          },
        }),
      },
    },
    errors: [...ANY, ...COUNTED, ...BODY, "room_full"],
  },
  {
    method: "get",
    path: "/api/room",
    id: "getRoom",
    summary: "The Room as you may see it",
    bearers: PARTICIPANT,
    successes: {
      200: {
        description: "The body of the `welcome` frame.",
        content: json("RoomView", { human: example.anasView }),
      },
    },
    errors: [...ANY, ...COUNTED],
  },
  {
    method: "get",
    path: "/api/room/socket",
    id: "openSocket",
    summary: "The socket: frames in both directions",
    bearers: PARTICIPANT,
    successes: { 101: { description: "The socket. Its first frame is `welcome`." } },
    errors: [
      ...ANY,
      "invalid_request",
      "unauthorized",
      "room_not_found",
      "room_closed",
      "upgrade_required",
      "room_full",
      "unavailable",
    ],
  },
  {
    method: "post",
    path: "/api/room/invites",
    id: "mintInvite",
    summary: "Make one more invite",
    bearers: HUMAN,
    body: {
      schema: named("MintInvite"),
      examples: { human: { role: "human" }, resident: { role: "resident" } },
    },
    successes: {
      201: {
        description: "The invite; a human's also as a link.",
        content: json("InviteMinted", {
          human: {
            invite: example.HUMAN_INVITE,
            url: `${example.ORIGIN}/r#${example.HUMAN_INVITE}`,
          },
          resident: { invite: example.RESIDENT_INVITE },
        }),
      },
    },
    errors: [...ANY, ...COUNTED, ...BODY, "human_only"],
  },
  {
    method: "post",
    path: "/api/room/participants/{participantId}/remove",
    id: "removeParticipant",
    summary: "Remove a participant",
    description:
      "Its token is worth nothing from here on, its sockets are closed with 4003, and what it asked is withdrawn.",
    bearers: HUMAN,
    body: EMPTY,
    successes: DONE,
    errors: [...ANY, ...COUNTED, ...BODY, "human_only", "participant_not_found"],
  },
  {
    method: "post",
    path: "/api/room/leave",
    id: "leaveRoom",
    summary: "Leave the Room",
    description: "Your token is worth nothing from here on; a resident's requests are withdrawn.",
    bearers: PARTICIPANT,
    body: EMPTY,
    successes: DONE,
    errors: [...ANY, ...COUNTED, ...BODY],
  },
  {
    method: "post",
    path: "/api/room/close",
    id: "closeRoom",
    summary: "End the Room",
    description: "Everything that is waiting is withdrawn (`room_closed`), then all is deleted.",
    bearers: HUMAN,
    body: EMPTY,
    successes: DONE,
    errors: [...ANY, ...COUNTED, ...BODY, "human_only"],
  },
];
