/** A question that a feature asks within its act, and that other features answer in their manifests. */
export interface Hook<Input, Output> {
  name: string;
  /** Only types: what is asked, and what is answered. */
  types?: { input: Input; output: Output };
}

export const defineHook = <Input, Output>(name: string): Hook<Input, Output> => ({ name });
