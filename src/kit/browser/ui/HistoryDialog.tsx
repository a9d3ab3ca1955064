import { useLingui } from '@lingui/react/macro';
import { Timeline } from '#kit/browser/record/Timeline.tsx';
import type { History } from '#kit/contract/history.ts';
import { SideDialog } from './SideDialog.tsx';

interface Props {
  endpoint: History;
  id: number;
  displayName: string;
  onClose: () => void;
}

/** The changes of a record in a panel beside its list. */
export function HistoryDialog({ endpoint, id, displayName, onClose }: Props) {
  const { t } = useLingui();
  return (
    <SideDialog title={t`History of ${displayName}`} onClose={onClose}>
      {() => <Timeline endpoint={endpoint} id={id} />}
    </SideDialog>
  );
}
