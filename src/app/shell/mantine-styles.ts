import type { MantineProviderProps, MenuProps } from '@mantine/core';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Combobox.css';

// An open menu focuses its first item; the element Mantine would focus first is not allowed inside a menu
// (aria-required-children).
const menu = {
  position: 'bottom-end',
  withinPortal: false,
  transitionProps: { duration: 0 },
  withInitialFocusPlaceholder: false,
} satisfies MenuProps;

/**
 * Mantine with the shell's settings. The pages' security policy forbids style elements from scripts (E1), so their
 * rules are in the style sheets above.
 */
export const mantine = {
  theme: { components: { Menu: { defaultProps: menu } } },
  defaultColorScheme: 'auto',
  withCssVariables: false,
  withGlobalClasses: false,
} satisfies MantineProviderProps;
