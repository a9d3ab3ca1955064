import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { type Later, useLoaded } from './use-loaded.ts';

/** What a person did in a box before the part was loaded that takes its place. */
export interface Begun {
  typed: string | undefined;
  isFocused: boolean;
  /** It was clicked, which opens its list. */
  isPressed: boolean;
  /** Enter was pressed after the last letter. */
  isEntered: boolean;
}

/** A box that can be used before the part that lists its entries is loaded. Each use asks for the part again. */
export function useBegun<Part>(later: Later<Part>, wishes: number) {
  const begun = useRef<Begun>({ typed: undefined, isFocused: false, isPressed: false, isEntered: false });
  const [typed, setTyped] = useState<string>();
  const [uses, setUses] = useState(0);
  const part = useLoaded(later, wishes + uses);
  const use = (change: Partial<Begun>) => {
    Object.assign(begun.current, change);
    setUses((uses) => uses + 1);
  };
  return {
    part,
    begun: begun.current,
    /** For the box. */
    control: {
      role: 'combobox',
      'aria-haspopup': 'listbox',
      'aria-expanded': false,
      'aria-autocomplete': 'list',
      value: typed,
      onFocus: () => use({ isFocused: true }),
      onBlur: () => Object.assign(begun.current, { isFocused: false, isPressed: false, isEntered: false }),
      onClick: () => use({ isPressed: true }),
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        setTyped(value);
        use({ typed: value, isEntered: false });
      },
      onKeyDown: (event: KeyboardEvent) => {
        // Enter takes an entry then, and does not submit the form.
        if (event.key !== 'Enter' || begun.current.typed === undefined) return;
        event.preventDefault();
        use({ isEntered: true });
      },
    } as const,
  };
}

/** For the box that takes the place: the focus and the caret at the end of the text stay in it. */
export function useContinued({ isFocused, typed }: Begun) {
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it takes the place.
  useLayoutEffect(() => {
    if (!isFocused || !input.current) return;
    input.current.focus({ preventScroll: true });
    if (typed !== undefined) input.current.setSelectionRange(typed.length, typed.length);
  }, []);
  return input;
}
