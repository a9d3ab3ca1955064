import { useLingui } from '@lingui/react/macro';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { useBegun } from '#kit/browser/ui/use-begun.ts';
import { later } from '#kit/browser/ui/use-loaded.ts';
import styles from './FindBox.module.css';
import type { FindBoxProps } from './FoundBox.tsx';
import { useCtrlK } from './use-ctrl-k.ts';
import { useIsLoaded } from './use-is-loaded.ts';

const search = later(() => import('./FoundBox.tsx'));

/**
 * Finds people whom the user may see, and pages and tabs by their title or menu group. Ctrl-K moves the focus here from
 * anywhere. The list of results loads once the page has its data, or as soon as the box is used.
 */
export function FindBox(props: FindBoxProps) {
  const { t } = useLingui();
  const { part, begun, control } = useBegun(search, useIsLoaded() ? 1 : 0);
  const box = useRef<HTMLInputElement>(null);
  useCtrlK(box);
  return (
    <div className={styles.find}>
      {part ? (
        <part.FoundBox {...props} begun={begun} />
      ) : (
        <Row gap={8} align="center" tone="soft" className={styles.box}>
          <IconSearch size={16} aria-hidden />
          <input
            ref={box}
            type="text"
            autoComplete="off"
            aria-label={t`Search people and pages`}
            placeholder={t`Search`}
            {...control}
            value={control.value ?? ''}
          />
          <kbd aria-hidden>Ctrl K</kbd>
        </Row>
      )}
    </div>
  );
}
