import { type ReactNode, useEffect, useRef } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { summarySlotId } from '#kit/browser/form/ApiForm.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { windowTitle as titleOf } from '#kit/browser/ui/window-title.ts';

interface Props {
  title: string;
  /** The title of the window, where it is not the page's with the school's name. */
  windowTitle?: string;
  children: ReactNode;
}

/** A page without the shell: the school's name, a title and the content. */
export function Alone({ title, windowTitle = titleOf(title), children }: Props) {
  const { schoolName, schoolCity, logoPath } = configuration();
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  return (
    <main className="sign-in">
      <div className="sign-in-school">
        {logoPath ? (
          <img src={logoPath} alt="" width={40} height={40} />
        ) : (
          <span className="crest">{schoolName[0]}</span>
        )}
        <p>
          <strong>{schoolName}</strong>
          <br />
          {schoolCity}
        </p>
      </div>
      <div id={summarySlotId} />
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** Replaces a form once it is sent, and takes the focus, so that it is read aloud. */
export function Done({ children }: { children: ReactNode }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <Notice className="sign-in-notice" ref={words} tabIndex={-1} role="status" kind="good">
      {children}
    </Notice>
  );
}
