import { useEffect, useRef } from 'react';
import { useApiForm } from './form-context.ts';

interface Parts {
  value: unknown;
  isOptional: boolean;
}

/** Fills in the only answer of a question that needs one, once; what the user empties is left empty. */
export function useOnly({ value, isOptional }: Parts, name: string, only: string | undefined) {
  const { preset } = useApiForm();
  const isDone = useRef(false);
  const isEmpty = String(value ?? '') === '';
  useEffect(() => {
    if (isDone.current || isOptional || only === undefined) return;
    isDone.current = true;
    if (isEmpty) preset(name, only);
  }, [only, isOptional, isEmpty, name, preset]);
}
