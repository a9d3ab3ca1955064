import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';

/** A button that offers what is shown as a file. */
export function ExportMenu({ onExport }: { onExport: (as: 'csv' | 'xlsx') => void }) {
  return (
    <Menu position="bottom-end" withinPortal={false} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <button type="button" className="button">
          <Trans>Export</Trans> <IconChevronDown size={16} aria-hidden />
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
