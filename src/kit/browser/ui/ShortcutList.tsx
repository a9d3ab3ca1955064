import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { Box, Row } from './Layout.tsx';
import { store, useStored } from './local-storage.ts';
import styles from './ShortcutList.module.css';
import { SideDialog } from './SideDialog.tsx';
import { singleKeysName } from './use-single-keys.ts';

export type Shortcut = readonly [keys: readonly string[], does: string];

/** Lists the keys of a page in a panel, and turns the single ones off and on. */
export function ShortcutList({ keys, onClose }: { keys: readonly Shortcut[]; onClose: () => void }) {
  const { t } = useLingui();
  const tickId = useId();
  const areOff = useStored(singleKeysName) === 'off';
  return (
    <SideDialog title={t`Keyboard shortcuts`} onClose={onClose}>
      {() => (
        <>
          <Box as="dl" mt={12} mb={20} className={styles.keys}>
            {keys.map(([names, does]) => (
              <Row py={6} line="below" gap={12} align="center" justify="between" key={does}>
                <dt>{does}</dt>
                <Row as="dd" gap={6}>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </Row>
              </Row>
            ))}
          </Box>
          <ChoiceRow
            type="checkbox"
            id={tickId}
            label={t`Use single keys`}
            hint={t`Kept on this device until you sign out.`}
            checked={!areOff}
            onChange={(isOn) => store(singleKeysName, isOn ? 'on' : 'off')}
          />
        </>
      )}
    </SideDialog>
  );
}
