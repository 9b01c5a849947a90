export { app as default } from "./app.ts";
export { Room } from "./room/room.ts";
