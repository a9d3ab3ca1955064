import type { MantineProviderProps, MenuProps } from '@mantine/core';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Combobox.css';

// An open menu has the focus on its first item; the place Mantine would hold it at until a key is pressed is none a menu may
// have (aria-required-children).
const menu = {
  position: 'bottom-end',
  withinPortal: false,
  transitionProps: { duration: 0 },
  withInitialFocusPlaceholder: false,
} satisfies MenuProps;

/**
 * Mantine as the shell has it. The policy of the pages allows no style elements from scripts (E1), so what they would hold
 * stands in the files above.
 */
export const mantine = {
  theme: { components: { Menu: { defaultProps: menu } } },
  defaultColorScheme: 'auto',
  withCssVariables: false,
  withGlobalClasses: false,
} satisfies MantineProviderProps;
