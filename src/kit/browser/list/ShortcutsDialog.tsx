import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { Row } from '#kit/browser/form/choices.tsx';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import styles from './ShortcutsDialog.module.css';
import { listKeysName } from './use-list-keys.ts';

interface Props {
  /** What the key for a new entry does here; absent where nothing can be added. */
  add?: string;
  /** Whether rows can be selected. */
  selects?: boolean;
  onClose: () => void;
}

/** Lists the keys of a list, and turns the single ones off and on. */
export function ShortcutsDialog({ add, selects, onClose }: Props) {
  const { t } = useLingui();
  const tickId = useId();
  const areOff = useStored(listKeysName) === 'off';
  const selecting: [keys: string[], does: string][] = [
    [[t`Space`], t`Select the row`],
    [['Shift ↓', 'Shift ↑'], t`Select the next or previous row too`],
    [['Esc'], t`Clear the selection`],
  ];
  const keys: [keys: string[], does: string][] = [
    [['/'], t`Search this list`],
    ...(add ? [[['N'], add] as [string[], string]] : []),
    [['J', '↓'], t`Next row`],
    [['K', '↑'], t`Previous row`],
    [['Enter'], t`Open the row`],
    ...(selects ? selecting : []),
    [['?'], t`Keyboard shortcuts`],
    [['Ctrl K'], t`Search people and pages`],
    [['Esc'], t`Close`],
  ];
  return (
    <SideDialog title={t`Keyboard shortcuts`} onClose={onClose}>
      {() => (
        <>
          <dl className={styles.keys}>
            {keys.map(([names, does]) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <Row
            type="checkbox"
            id={tickId}
            label={t`Use single keys in lists`}
            hint={t`Kept on this device until you sign out.`}
            checked={!areOff}
            onChange={(isOn) => store(listKeysName, isOn ? 'on' : 'off')}
          />
        </>
      )}
    </SideDialog>
  );
}
