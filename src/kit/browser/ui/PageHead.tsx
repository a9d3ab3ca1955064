import { type ReactNode, useEffect, useRef } from 'react';
import { windowTitle } from './window-title.ts';

/** The previous page; nothing when the first page is drawn. */
let shown: string | undefined;

/** The title of the open page: of a record its name. */
export const pageTitle = () => shown;

interface Props {
  title: string;
  /** One or two actions at the right. */
  children?: ReactNode;
}

/** A page's title: its heading and the window's title. It takes the focus after navigation from another page, except from a text box in use. */
export function PageHead({ title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = windowTitle(title);
  }, [title]);
  useEffect(() => {
    // Pages with the same component differ only in their title.
    if (shown !== undefined && shown !== title) {
      window.scrollTo(0, 0);
      // Text being typed in the search must not be lost because a page has just arrived.
      if (!document.activeElement?.matches('input, textarea')) heading.current?.focus();
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

/** Moves the focus back to the page's title, as after navigation: for a list that shows its next page. */
export function backToTitle() {
  window.scrollTo(0, 0);
  document.querySelector('h1')?.focus();
}
