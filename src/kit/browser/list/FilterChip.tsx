import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import styles from './FilterChip.module.css';
import { FilterPanel } from './FilterPanel.tsx';
import { useOptions } from './options.ts';

interface Props {
  label: string;
  /** What the list is narrowed to. */
  value: string;
  onRemove: () => void;
  /** The control that changes it, which opens below it. */
  children?: ReactNode;
}

/** A filter that is set: its words open its control, and a button removes it. */
export function FilterChip({ label, value, onRemove, children }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const words = (
    <>
      <span className="soft">{label}:</span> {value}
    </>
  );
  return (
    <Row as="span" align="center" size={13} className={styles.chip}>
      {children ? (
        <FilterPanel
          isOpen={isOpen}
          onToggle={setOpen}
          button={
            <button
              type="button"
              className={styles.words}
              title={`${label}: ${value}`}
              onClick={() => setOpen(!isOpen)}
            >
              {words}
            </button>
          }
        >
          {children}
        </FilterPanel>
      ) : (
        <span className={styles.words}>{words}</span>
      )}
      <IconButton isSmall className={styles.remove} label={t`Remove filter ${label}: ${value}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </IconButton>
    </Row>
  );
}

interface OptionProps extends Props {
  options: Parameters<typeof useOptions>[0]['options'];
  given?: Parameters<typeof useOptions>[0]['given'];
}

/** The same for an entry that the server keeps, by its id. */
export function FilterOptionChip({ options, given, value, ...rest }: OptionProps) {
  const { chosen } = useOptions({ options, given, value, offersInactive: true });
  return <FilterChip {...rest} value={chosen?.label ?? '…'} />;
}
