/** A place in a JSON value and what is wrong there. */
export interface JsonIssue {
  path: (string | number)[];
  message: string;
}

export interface JsonBounds {
  /** Levels of nesting; the value itself is 1. */
  depth: number;
  /** Objects, arrays and scalars altogether. */
  nodes?: number;
}

interface Visit {
  value: unknown;
  key: string | number;
  parent: Visit | undefined;
  depth: number;
}

/**
 * Finds the first thing in a parsed JSON value that cannot be kept as it is: ill-formed Unicode, a number beyond JavaScript's
 * range, too much nesting, too many nodes. Walks without recursion, because `JSON.parse` accepts nesting that overflows a stack.
 */
export function findJsonIssue(root: unknown, bounds: JsonBounds): JsonIssue | undefined {
  const stack: Visit[] = [{ value: root, key: "", parent: undefined, depth: 1 }];
  let nodes = 0;
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { value, depth } = visit;
    nodes += 1;
    if (bounds.nodes !== undefined && nodes > bounds.nodes) {
      return { path: [], message: `more than ${bounds.nodes} nodes` };
    }
    if (typeof value === "string") {
      if (!value.isWellFormed()) return { path: pathOf(visit), message: "ill-formed Unicode" };
    } else if (typeof value === "number") {
      if (!Number.isFinite(value)) return { path: pathOf(visit), message: "number out of range" };
    } else if (typeof value === "object" && value !== null) {
      if (depth > bounds.depth) {
        return { path: [], message: `nested deeper than ${bounds.depth} levels` };
      }
      const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
      for (const [key, child] of entries) {
        if (typeof key === "string" && !key.isWellFormed()) {
          return { path: pathOf(visit), message: "ill-formed Unicode in a name" };
        }
        stack.push({ value: child, key, parent: visit, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

function pathOf(visit: Visit): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Visit | undefined = visit; at?.parent !== undefined; at = at.parent) {
    path.unshift(at.key);
  }
  return path;
}
