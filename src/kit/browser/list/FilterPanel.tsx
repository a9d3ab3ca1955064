import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { mantine, useMantine } from '#kit/browser/ui/use-mantine.ts';
import styles from './FilterPanel.module.css';

interface Props {
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** The button that opens it. */
  button: ReactElement<HTMLAttributes<HTMLButtonElement>>;
  children: ReactNode;
}

/** Controls that narrow a list, below the button that opens them. Its parts are loaded when it is first opened. */
export function FilterPanel(props: Props) {
  const { isOpen, onToggle, button } = props;
  const [isWanted, setWanted] = useState(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  const isHere =
    useMantine(isWanted, () => {
      setWanted(false);
      onToggle(false);
    }) !== undefined;
  if (isHere) return <UsedPanel {...props} />;
  return cloneElement(button, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    'aria-busy': isOpen || undefined,
    // Who has gone on does not want it any more.
    onBlur: () => isOpen && onToggle(false),
  });
}

/** The panel from its first use on: it takes the place of the button that was pressed, with its focus. */
function UsedPanel({ isOpen, onToggle, button, children }: Props) {
  const { Mantine, Popover } = mantine();
  const [isReady, setReady] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    target.current?.focus({ preventScroll: true });
    setReady(true);
  }, []);
  return (
    <Mantine>
      <Popover
        opened={isOpen && isReady}
        onChange={onToggle}
        position="bottom-start"
        shadow="none"
        withinPortal={false}
        transitionProps={{ duration: 0 }}
        trapFocus
        returnFocus
      >
        <Popover.Target ref={target}>{button}</Popover.Target>
        <Popover.Dropdown className={styles.panel}>{children}</Popover.Dropdown>
      </Popover>
    </Mantine>
  );
}
