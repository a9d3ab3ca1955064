import { type RefObject, useRef } from 'react';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import { useFormEnd } from './use-form-end.ts';

/** After a row was added or removed: shows the server's message and focuses the heading below the list. */
export function useRowChanges(): {
  heading: RefObject<HTMLHeadingElement | null>;
  changed: (text: Text | undefined) => void;
  onRefused: (refused: AppError) => void;
} {
  const toast = useToast();
  const formEnd = useFormEnd();
  const heading = useRef<HTMLHeadingElement>(null);
  const changed = (text: Text | undefined) => {
    if (text) toast({ kind: 'success', title: translate(text) });
    heading.current?.focus();
  };
  const onRefused = (refused: AppError) => {
    formEnd.onRefused(refused);
    toast({ kind: 'warning', title: translate(refused.text) });
  };
  return { heading, changed, onRefused };
}
