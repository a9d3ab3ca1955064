import { type ReactNode, useEffect, useRef } from 'react';
import { windowTitle } from './window-title.ts';

/** The page that was shown before; nothing yet when the first one is drawn. */
let shown: string | undefined;

interface Props {
  title: string;
  /** The one or two things to do here, at the right. */
  children?: ReactNode;
}

/** A page's title: its heading, the window's name, and where the focus goes when somebody comes here from another page. */
export function PageHead({ title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = windowTitle(title);
  }, [title]);
  useEffect(() => {
    // Pages of one component differ by their title alone.
    if (shown !== undefined && shown !== title) {
      window.scrollTo(0, 0);
      heading.current?.focus();
    }
    shown = title;
  }, [title]);
  return (
    <div className="page-head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

/** Back to the page's title, as after going somewhere: for a list that has turned to its next page. */
export function backToTitle() {
  window.scrollTo(0, 0);
  document.querySelector('h1')?.focus();
}
