import { useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { mergeApi } from '../contract/merge.ts';
import { Doubts } from './FindOther.tsx';

interface Props {
  id: number;
  name: string;
  onClose: () => void;
}

/** Who may be the same child: two children, or two records to merge. */
export function CompareStudent({ id, name, onClose }: Props) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const mayMerge = useMay(mergeApi.merge);
  const merge = (other: number) =>
    void navigate({
      to: '/school-erp/student/student-list/$studentID/merge',
      params: { studentID: String(id) },
      search: { with: String(other) },
    });
  return (
    <SideDialog title={t`Is ${name} entered twice?`} onClose={onClose}>
      {() => <Doubts id={id} {...(mayMerge && { choose: merge })} />}
    </SideDialog>
  );
}
