#!/usr/bin/env node
// Parses on every Node since 14, so that an old one is told what is needed in place of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 12)) {
  await import("../handraise.js");
} else {
  console.error(
    `handraise needs Node 22.12 or newer; this is Node ${process.versions.node}. Nothing was done. Install a newer one from https://nodejs.org.`,
  );
  process.exitCode = 3;
}
