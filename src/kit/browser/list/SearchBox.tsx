import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import styles from './SearchBox.module.css';

interface Props {
  label: string;
  /** What can be searched for, where its box has room to say so. */
  placeholder?: string;
  value: string;
  onSearch: (words: string) => void;
}

/** The search text of a list, applied a moment after the last key. */
export function SearchBox({ label, placeholder, value, onSearch }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  // The address decides, for example after going back.
  const [at, setAt] = useState(value);
  if (at !== value) {
    setAt(value);
    setWords(value);
  }
  useEffect(() => {
    if (words === value) return;
    const timer = setTimeout(() => latest.current(words), 250);
    return () => clearTimeout(timer);
  }, [words, value]);
  return (
    <span className={styles.search}>
      <input
        ref={box}
        type="search"
        className="box"
        aria-label={label}
        placeholder={placeholder ?? t`Search`}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {words && (
        <IconButton
          isSmall
          className={styles.clear}
          label={t`Clear search`}
          onClick={() => {
            setWords('');
            box.current?.focus();
          }}
        >
          <IconX size={16} aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
