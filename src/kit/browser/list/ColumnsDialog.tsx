import { useLingui } from '@lingui/react/macro';
import { Row, Rows } from '#kit/browser/form/choices.tsx';
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
        <Rows>
          {columns.map(({ name, label }) => (
            <Row
              key={name}
              type="checkbox"
              id={`column-${name}`}
              label={label}
              checked={shown.includes(name)}
              onChange={(isOn) => onChoose(isOn ? [...shown, name] : shown.filter((other) => other !== name))}
            />
          ))}
        </Rows>
      )}
    </SideDialog>
  );
}
