import type { Section } from '#kit/browser/gallery/section.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { RowMenu } from './RowMenu.tsx';

export const rowMenu: Section = {
  name: 'RowMenu',
  states: {
    'At the end of a row': (
      <RowMenu name="Oak">
        {(from) => (
          <>
            <Menu.Item onClick={from(() => undefined)}>Edit</Menu.Item>
            <Menu.Item>Deactivate</Menu.Item>
          </>
        )}
      </RowMenu>
    ),
  },
};
