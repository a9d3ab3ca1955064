import { Trans } from '@lingui/react/macro';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import type { StudentHead } from '../contract/record.ts';
import { RemoveStudent } from './RemoveStudent.tsx';

/** The acts on a whole record that are rare. */
export function StudentMenu({ head }: { head: StudentHead }) {
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
        <Menu.Item onClick={() => setRemoving(true)}>
          <Trans>Remove (entered by mistake)…</Trans>
        </Menu.Item>
      </Menu>
      {isRemoving && <RemoveStudent head={head} onClose={() => setRemoving(false)} />}
    </>
  );
}
