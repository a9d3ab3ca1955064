import { Trans } from '@lingui/react/macro';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { mergeApi } from '../contract/merge.ts';
import type { StudentHead } from '../contract/record.ts';
import { RemoveStudent } from './RemoveStudent.tsx';

/** The acts on a whole record that are rare. */
export function StudentMenu({ head }: { head: StudentHead }) {
  const mayMerge = useMay(mergeApi.merge);
  const navigate = usePageNavigate();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <Menu
        button={
          <Button>
            <Trans>More</Trans> <IconChevronDown size={16} aria-hidden />
          </Button>
        }
      >
        {mayMerge && (
          <Menu.Item
            onClick={() =>
              void navigate({
                to: '/school-erp/student/student-list/$studentID/merge',
                params: { studentID: String(head.id) },
              })
            }
          >
            <Trans>Merge with another record…</Trans>
          </Menu.Item>
        )}
        <Menu.Item onClick={() => setRemoving(true)}>
          <Trans>Remove (entered by mistake)…</Trans>
        </Menu.Item>
      </Menu>
      {isRemoving && <RemoveStudent head={head} onClose={() => setRemoving(false)} />}
    </>
  );
}
