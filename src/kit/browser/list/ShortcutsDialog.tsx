import { useLingui } from '@lingui/react/macro';
import { type Shortcut, ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';

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
  const selecting: Shortcut[] = [
    [[t`Space`], t`Select the row`],
    [['Shift ↓', 'Shift ↑'], t`Select the next or previous row too`],
    [['A'], t`Go to the actions on selected rows`],
    [['Esc'], t`Clear the selection`],
  ];
  return (
    <ShortcutList
      keys={[
        [['/'], t`Search this list`],
        ...(add ? [[['N'], add] as Shortcut] : []),
        [['J', '↓'], t`Next row`],
        [['K', '↑'], t`Previous row`],
        [['Enter'], t`Open the row`],
        ...(selects ? selecting : []),
        [['?'], t`Keyboard shortcuts`],
        [['Ctrl K'], t`Search people and pages`],
        [['Ctrl Enter'], t`Save an open form`],
        ...(add ? [[['Ctrl Shift Enter'], t`Save it and add another`] as Shortcut] : []),
        [['Esc'], t`Close`],
      ]}
      onClose={onClose}
    />
  );
}
