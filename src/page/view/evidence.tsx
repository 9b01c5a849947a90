import { useState } from "preact/hooks";
import type { Place, ReadToolCall } from "../model/evidence.ts";
import { card as words, EVIDENCE_NAMES } from "../text/index.ts";
import { Sharing, VisibleLines, VisibleText } from "../visible-text/visible-text.tsx";
import { Changes } from "./change.tsx";
import { Icon } from "./icons.tsx";
import { ScrollBox } from "./scroll-box.tsx";
import { TextBlock } from "./text-block.tsx";

const SHORT_NOTE = 300;
/** More paths than this stand in a box of their own. */
const FEW_PLACES = 8;

/** What will be done, and where: everything that the tool call carries, most telling first. */
export function Evidence({ read }: { read: ReadToolCall }) {
  const isShortNote = (what: string, text: string) =>
    what === "note" && text.length <= SHORT_NOTE && !text.includes("\n");
  const notes = read.texts.filter(({ what, text }) => isShortNote(what, text));
  const blocks = read.texts.filter(({ what, text }) => !isShortNote(what, text));
  const isUntold = read.untold !== undefined;
  const missing = read.saysNothing ? words.saysNothing : read.hasNoDiff ? words.noDiff : undefined;
  const hasBlocks =
    blocks.length > 0 || read.changes.length > 0 || isUntold || missing !== undefined;
  const pieces = read.texts.length + read.changes.length + read.places.length;
  return (
    <Sharing.Provider value={pieces}>
      {hasBlocks && (
        <div>
          {missing !== undefined && (
            <div class="ev">
              <p class="ev-none">{missing}</p>
            </div>
          )}
          {blocks.map(({ what, text }, index) => (
            <TextBlock
              key={index}
              box={`text-${index}`}
              what={what}
              text={text}
              cwd={index === 0 ? read.cwd : undefined}
            />
          ))}
          {read.changes.length > 0 && <Changes changes={read.changes} />}
          {isUntold && <TextBlock box="fields" what="fields" text={pretty(read.untold)} />}
        </div>
      )}
      <Facts places={read.places} notes={notes.map((note) => note.text)} />
      {blocks.length === 0 && read.cwd !== undefined && (
        <p class="said">
          {words.in}
          <VisibleText text={read.cwd} dir="ltr" />
        </p>
      )}
      <Fields fields={read.folded} />
    </Sharing.Provider>
  );
}

function Facts({ places, notes }: { places: readonly Place[]; notes: readonly string[] }) {
  const isMany = places.length > FEW_PLACES;
  if (places.length === 0 && notes.length === 0) return null;
  return (
    <>
      {isMany && (
        <div class="ev">
          <div class="ev-bar">
            <span class="ev-name">{words.paths(places.length)}</span>
          </div>
          <ScrollBox box="places" name={words.paths(places.length)}>
            <ul class="places">
              {places.map((place, index) => (
                <li key={index}>
                  <PlaceText place={place} />
                </li>
              ))}
            </ul>
          </ScrollBox>
        </div>
      )}
      <dl class="facts">
        {!isMany &&
          places.map((place, index) => [
            <dt key={`t${index}`}>{words.path}</dt>,
            <dd key={`d${index}`}>
              <PlaceText place={place} />
            </dd>,
          ])}
        {notes.map((note, index) => [
          <dt key={`nt${index}`}>{EVIDENCE_NAMES.note}</dt>,
          <dd key={`nd${index}`}>
            <VisibleText text={note} />
          </dd>,
        ])}
      </dl>
    </>
  );
}

function PlaceText({ place }: { place: Place }) {
  return (
    <span class="mono">
      <VisibleText text={place.path} dir="ltr" />
      {place.line !== undefined && words.line(place.line)}
    </span>
  );
}

/** Whatever stands nowhere above, raw. */
function Fields({ fields }: { fields: Readonly<Record<string, unknown>> }) {
  const [isOpen, setOpen] = useState(false);
  const { rawInput, ...others } = fields;
  const isTree = typeof rawInput === "object" && rawInput !== null;
  const inner = isTree ? Object.keys(rawInput).length : rawInput === undefined ? 0 : 1;
  const count = Object.keys(others).length + inner;
  if (count === 0) return null;
  return (
    <details class="tree" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="right" small />
        {words.moreFields(count)}
      </summary>
      {isOpen && (
        <pre>
          <code>
            <VisibleLines text={pretty(fields)} />
          </code>
        </pre>
      )}
    </details>
  );
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
