import { Trans } from '@lingui/react/macro';
import { IconArrowRight } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { Row } from './Layout.tsx';
import styles from './ScrollFrame.module.css';

interface Props {
  label: string;
  className?: string;
  ref?: RefObject<HTMLElement | null>;
  /** The table. */
  children: ReactNode;
}

/** A frame in which a wide table scrolls; while columns are out of sight at the right, it says so. */
export function ScrollFrame({ label, className, ref, children }: Props) {
  const own = useRef<HTMLElement>(null);
  const frame = ref ?? own;
  const [isWide, setWide] = useState(false);
  const [isMore, setMore] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const hidden = element.scrollWidth - element.clientWidth;
      setWide(hidden > 4);
      setMore(hidden - element.scrollLeft > 4);
    };
    look();
    const observer = new ResizeObserver(look);
    for (const watched of [element, ...element.children]) observer.observe(watched);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [frame]);
  return (
    <div className={classNames(styles.around, isMore && styles.more)}>
      {isWide && (
        <Row
          as="p"
          gap={4}
          align="center"
          justify="end"
          mb={4}
          tone="soft"
          size={13}
          className={styles.hint}
          aria-hidden
        >
          <Trans>More columns</Trans> <IconArrowRight size={14} />
        </Row>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard. */}
      <section ref={frame} className={classNames(styles.frame, className)} aria-label={label} tabIndex={0}>
        {children}
      </section>
    </div>
  );
}
