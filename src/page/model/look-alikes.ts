/** Letters of other writings that look like Latin ones, and those. */
const ALIKE = "АаВЕеЅѕІіЈјКкМНОоРрСсТУуХхһԁԛԝӀӏѵѡΑαΒΕΖΗΙιΚκΜΝνΟοΡρΤΥΧıɡɑᴀօՕᎪꓮꓳ";
const LATIN = "AaBEeSsIiJjKkMHOoPpCcTYyXxhdqwIlvwAaBEZHIiKkMNvOoPpTYXigaaoOAAO";

/** A text in Latin letters, as far as it looks like it, without what is not seen. */
export function spellLatin(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{DI}]/gu, "")
    .replace(/[^\0-\u00FF]/g, (letter) => LATIN[ALIKE.indexOf(letter)] ?? letter)
    .trim();
}

/** What two names have in common that a hurried reader takes for each other. */
export function lookOf(name: string): string {
  return spellLatin(name)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\p{Pd}/gu, "-")
    .replace(/[‘’‛`]/g, "'")
    .replace(/[i1|]/g, "l")
    .replaceAll("0", "o")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
