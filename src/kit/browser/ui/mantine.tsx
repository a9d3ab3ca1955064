// Mantine's parts, loaded when a menu, a panel or a search is first used (use-mantine.ts).
// biome-ignore lint/style/noRestrictedImports: this is the file that has them.
import { MantineProvider, type MantineProviderProps, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useColours } from './colours.ts';

// biome-ignore lint/style/noRestrictedImports: this is the file that has them.
export { Menu, Popover } from '@mantine/core';

// An open menu focuses its first item; the element Mantine would focus first is not allowed inside a menu
// (aria-required-children).
const menu = {
  position: 'bottom-end',
  withinPortal: false,
  transitionProps: { duration: 0 },
  withInitialFocusPlaceholder: false,
} satisfies MenuProps;

/** The pages' security policy forbids style elements from scripts (E1), so the rules are in style sheets. */
export const mantineSettings: Omit<MantineProviderProps, 'children'> = {
  theme: { components: { Menu: { defaultProps: menu } } },
  defaultColorScheme: 'auto',
  withCssVariables: false,
  withGlobalClasses: false,
};

/** What Mantine's parts need around them. */
export function Mantine({ children }: { children: ReactNode }) {
  const colours = useColours();
  return (
    <MantineProvider {...mantineSettings} forceColorScheme={colours === 'device' ? undefined : colours}>
      {children}
    </MantineProvider>
  );
}
