import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { ComboboxProps } from './LoadedCombobox.tsx';
import { useBegun } from './use-begun.ts';
import { useFilled } from './use-filled.ts';
import { later } from './use-loaded.ts';

export type { Choice, Entry } from './LoadedCombobox.tsx';

/** The box with its list. */
export const comboboxPart = later(() => import('./LoadedCombobox.tsx'));

/**
 * Chooses one of many entries: the server returns the first 20 that match the typed text. Until its parts are loaded, it
 * is a box that can be typed in.
 */
export function Combobox(props: ComboboxProps) {
  const { t } = useLingui();
  const { part, begun, control: waiting } = useBegun(comboboxPart, 1);
  const input = useRef<HTMLInputElement>(null);
  useFilled(input, props.chosen?.label);
  if (part) return <part.LoadedCombobox {...props} begun={begun} />;
  const { options: _, given, offersInactive, without, labelOf, onChoose, chosen, ...control } = props;
  return (
    <input
      ref={input}
      className="box"
      type="text"
      autoComplete="off"
      {...control}
      {...waiting}
      placeholder={control.placeholder ?? t`Type to search`}
      value={waiting.value ?? chosen?.label ?? ''}
    />
  );
}
