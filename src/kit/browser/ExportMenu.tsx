import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  /** What the button says. */
  words: ReactNode;
  onExport: (as: 'csv' | 'xlsx') => void;
}

/** A button that offers what is shown as a file. */
export function ExportMenu({ words, onExport }: Props) {
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className="button">
          {words} <IconChevronDown size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onExport('csv')}>
          <Trans>Export as CSV</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => onExport('xlsx')}>
          <Trans>Export for Excel</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
