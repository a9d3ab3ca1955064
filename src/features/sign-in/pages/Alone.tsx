import { type ReactNode, useEffect, useRef } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { summarySlotId } from '#kit/browser/form/form-problems.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Grid, Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import palette from '#kit/browser/ui/palette.module.css';
import { windowTitle as titleOf } from '#kit/browser/ui/window-title.ts';
import styles from './Alone.module.css';

interface Props {
  title: string;
  /** The title of the window, where it is not the page's with the school's name. */
  windowTitle?: string;
  children: ReactNode;
}

/** A page without the shell: the school with its colour, and a card with a title and the content. */
export function Alone({ title, windowTitle = titleOf(title), children }: Props) {
  const { schoolName, schoolCity, schoolColour, logoPath } = configuration();
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  return (
    <Grid className={classNames(styles.page, palette[schoolColour])}>
      <Row as="header" align="center" className={styles.school}>
        <Stack as="span" centre fixed className={styles.mark} aria-hidden>
          {logoPath ? <img src={logoPath} alt="" /> : schoolName[0]}
        </Stack>
        <p className={styles.name}>
          {schoolName}
          {schoolCity && <span className={styles.city}>{schoolCity}</span>}
        </p>
      </Row>
      <main className={classNames('sign-in', styles.card)}>
        <div id={summarySlotId} />
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
    </Grid>
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
