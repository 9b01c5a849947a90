export const fetching = {
  loading: (size: string) => `Loading the whole request, ${size}.`,
  unreachable: "The whole request could not be loaded.",
  altered: "What was loaded is not what the Room stored: its hash differs. Nothing of it is shown.",
  dropped: "The Room no longer keeps the whole of this request. Only its summary is left.",
  unchecked:
    "This browser could not check that this is what the Room stored. Allowing stays locked.",
  cut: "Not in this summary: ",
  cutMore: (count: number) => (count === 1 ? " and 1 more field" : ` and ${count} more fields`),
  retry: "Load it again",
} as const;
