import { useEffect, useState } from 'react';

/** A part of the pages that is loaded after the first view, once. */
export interface Later<Part> {
  /** Starts to load it. Rejects where the line is down; the next call tries again. */
  load: () => Promise<Part>;
  /** The part, once it is here. */
  loaded: () => Part | undefined;
}

export function later<Part>(get: () => Promise<Part>): Later<Part> {
  let part: Part | undefined;
  let loading: Promise<Part> | undefined;
  return {
    loaded: () => part,
    load: () => {
      loading ??= get().then(
        (got) => {
          part = got;
          return got;
        },
        (error) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
  };
}

/**
 * The part, as soon as it is wanted and here. `onFailure` is called where it could not be loaded; another number of
 * wishes tries again.
 */
export function useLoaded<Part>({ load, loaded }: Later<Part>, wishes: number, onFailure?: () => void) {
  const [, setHere] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded when it is first wanted.
  useEffect(() => {
    if (wishes === 0 || loaded()) return;
    let isGone = false;
    load().then(
      () => isGone || setHere(true),
      () => isGone || onFailure?.(),
    );
    return () => {
      isGone = true;
    };
  }, [wishes]);
  return wishes > 0 ? loaded() : undefined;
}
