import { render } from "preact";
import { makeKeep, makeMemory } from "./session/memory.ts";
import { App } from "./view/app.tsx";

const tab = makeKeep(() => sessionStorage);
const device = makeKeep(() => localStorage);
const page = document.getElementById("page");
if (page !== null) render(<App memory={makeMemory(tab, device)} />, page);
