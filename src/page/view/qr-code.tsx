import { create } from "qrcode";
import { useMemo } from "preact/hooks";
import { darkRows } from "../model/qr-rows.ts";

/** Modules that stay light around a code: readers need them. */
const QUIET = 4;

/** A text as a QR code, dark on light in every theme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: "M" });
    return { size: modules.size, path: darkRows(modules.data, modules.size) };
  }, [text]);
  const side = size + 2 * QUIET;
  return (
    <svg
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
