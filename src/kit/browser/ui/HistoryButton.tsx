import { useLingui } from '@lingui/react/macro';
import { IconHistory } from '@tabler/icons-react';
import { IconButton } from './IconButton.tsx';

interface Props {
  /** The record whose history it opens. */
  name: string;
  onOpen: () => void;
}

/** Opens the history of a row; stands at the row's end. */
export function HistoryButton({ name, onOpen }: Props) {
  const { t } = useLingui();
  return (
    <IconButton isSmall label={t`History of ${name}`} onClick={onOpen}>
      <IconHistory size={16} aria-hidden />
    </IconButton>
  );
}
