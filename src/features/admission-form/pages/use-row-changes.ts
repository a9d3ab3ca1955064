import { type RefObject, useRef } from 'react';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import { useFormEnd } from './use-form-end.ts';

/** Says the server's words about a row that was added or removed, and takes the reader to the heading below the list. */
export function useRowChanges(): {
  heading: RefObject<HTMLHeadingElement | null>;
  changed: (message: string) => void;
  onRefused: (refused: AppError) => void;
} {
  const toast = useToast();
  const formEnd = useFormEnd();
  const heading = useRef<HTMLHeadingElement>(null);
  const changed = (message: string) => {
    toast({ kind: 'success', title: translate(message) });
    heading.current?.focus();
  };
  const onRefused = (refused: AppError) => {
    formEnd.onRefused(refused);
    toast({ kind: 'warning', title: translate(refused.message) });
  };
  return { heading, changed, onRefused };
}
