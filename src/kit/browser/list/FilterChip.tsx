import { useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import styles from './FilterChip.module.css';
import { useOptions } from './options.ts';

interface Props {
  label: string;
  /** What the list is narrowed to. */
  value: string;
  onRemove: () => void;
}

/** A filter that is set, and the button that removes it. */
export function FilterChip({ label, value, onRemove }: Props) {
  const { t } = useLingui();
  return (
    <span className={styles.chip}>
      <span>
        {label}: <strong>{value}</strong>
      </span>
      <IconButton isSmall className={styles.remove} label={t`Remove filter ${label}: ${value}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </IconButton>
    </span>
  );
}

interface OptionProps extends Props {
  options: Parameters<typeof useOptions>[0]['options'];
}

/** The same for an entry that the server keeps, by its id. */
export function FilterOptionChip({ options, value, ...rest }: OptionProps) {
  const { chosen } = useOptions({ options, value, offersInactive: true });
  return <FilterChip {...rest} value={chosen?.label ?? '…'} />;
}
