// What vite gives to the tests; its own types would bring the DOM's.

declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  glob<T>(
    pattern: string,
    options: { query: string; import: string; eager: true },
  ): Record<string, T>;
}
