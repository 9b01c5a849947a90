import { z } from "zod";

// The page's CSP forbids eval, and so does workerd: keep zod from even probing for `new Function`.
z.config({ jitless: true });

export { z };
