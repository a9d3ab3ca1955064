import { useEffect, useState } from 'react';

const usual = 250;

/** A value once it has been unchanged for a moment; an empty value immediately. */
export function useLater(value: string, delay = usual): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), value === '' ? 0 : delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return late;
}
