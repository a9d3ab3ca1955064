import type { MenuDividerProps, MenuItemProps, MenuLabelProps } from '@mantine/core';
import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { mantine, useMantine } from './use-mantine.ts';

interface Props {
  /** The button that opens it. */
  button: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  /** Its items. */
  children: ReactNode;
  /** Whether it lies over what would clip it, such as a list that scrolls. */
  isFixed?: boolean;
}

/** A menu below its button. Its parts are loaded when it is first opened. */
export function Menu({ button, ...rest }: Props) {
  const [isWanted, setWanted] = useState(false);
  const isHere = useMantine(isWanted, () => setWanted(false)) !== undefined;
  if (isHere) return <UsedMenu button={button} {...rest} />;
  return cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'aria-busy': isWanted || undefined,
    onClick: () => setWanted(true),
    // Who has gone on does not want it any more.
    onBlur: () => setWanted(false),
  });
}

/** The menu from its first use on: it takes the place of the button that was pressed, with its focus. */
function UsedMenu({ button, children, isFixed = false }: Props) {
  const { Mantine, Menu: Parts } = mantine();
  const [isOpen, setOpen] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    target.current?.focus({ preventScroll: true });
    setOpen(true);
  }, []);
  return (
    <Mantine>
      <Parts opened={isOpen} onChange={setOpen} floatingStrategy={isFixed ? 'fixed' : undefined}>
        <Parts.Target {...{ ref: target }}>{button}</Parts.Target>
        {/* A long name wraps, also on a phone. */}
        <Parts.Dropdown maw="calc(100vw - 16px)" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Parts.Dropdown>
      </Parts>
    </Mantine>
  );
}

interface ItemProps extends MenuItemProps, Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof MenuItemProps> {
  /** Draws it as another element, such as a link. */
  renderRoot?: (props: Record<string, unknown>) => ReactNode;
}

// Only an open menu draws its items, so the parts are here.
Menu.Item = (props: ItemProps) => {
  const { Menu: Parts } = mantine();
  return <Parts.Item {...props} />;
};

Menu.Label = (props: MenuLabelProps) => {
  const { Menu: Parts } = mantine();
  return <Parts.Label {...props} />;
};

Menu.Divider = (props: MenuDividerProps) => {
  const { Menu: Parts } = mantine();
  return <Parts.Divider {...props} />;
};
