import { useLingui } from '@lingui/react/macro';
import { ChoiceRow, ChoiceRows } from '#kit/browser/form/choices.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Column } from './use-columns.ts';

interface Props {
  about: string;
  columns: readonly Column[];
  shown: readonly string[];
  onChoose: (shown: readonly string[]) => void;
  onClose: () => void;
}

/** Shows and hides the columns of a list. */
export function ColumnsDialog({ about, columns, shown, onChoose, onClose }: Props) {
  const { t } = useLingui();
  return (
    <SideDialog title={t`Columns`} about={about} onClose={onClose}>
      {() => (
        <ChoiceRows>
          {columns.map(({ name, label }) => (
            <ChoiceRow
              key={name}
              type="checkbox"
              id={`column-${name}`}
              label={label}
              checked={shown.includes(name)}
              onChange={(isOn) => onChoose(isOn ? [...shown, name] : shown.filter((other) => other !== name))}
            />
          ))}
        </ChoiceRows>
      )}
    </SideDialog>
  );
}
