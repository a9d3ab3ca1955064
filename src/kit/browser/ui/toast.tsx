import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { pageTitle } from './PageHead.tsx';
import styles from './toast.module.css';

export interface ToastAction {
  label: string;
  act: () => void;
  /** Does it as well while the message is shown and nothing is typed; Enter only where it presses nothing else. */
  shortcut?: 'Control+Z' | 'Enter';
}

interface Toast {
  kind: 'success' | 'warning' | 'error';
  title: string;
  /** What it is about. Where the title is only a word, such as "Saved.", it is the record or page that is open. */
  of?: string;
  text?: string;
  actions?: readonly ToastAction[];
}

interface Shown extends Toast {
  id: number;
}

/** Milliseconds that a toast stays (specification section 9). A toast with actions stays longer. */
const stay = { success: 1500, error: 1500, warning: 3000, action: 8000 };

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Returns `show`, which shows a toast. Never the only place for its text. */
export const useToast = () => use(ToastContext);

interface ProviderProps {
  /** At the top end of the window, where the specification has the form’s warnings; else at the lower left. */
  isAtTop?: boolean;
  children: ReactNode;
}

export function ToastProvider({ isAtTop = false, children }: ProviderProps) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const next = useRef(1);
  const show = useCallback((toast: Toast) => {
    const id = next.current++;
    const of = toast.of ?? (isWord(toast.title) ? pageTitle() : undefined);
    setToasts((shown) => [...shown.filter(({ title }) => title !== toast.title), { ...toast, of, id }].slice(-3));
  }, []);
  const remove = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);
  const context = useMemo(() => show, [show]);
  return (
    <ToastContext value={context}>
      {children}
      <div className={classNames(styles.toasts, isAtTop && styles.top)} role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onEnd={remove} />
        ))}
      </div>
    </ToastContext>
  );
}

/** The shortcut that a key press is for a message: none where it is typed, or belongs to what is focused or open. */
function shortcutOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): ToastAction['shortcut'] {
  const at = document.activeElement ?? document.body;
  const isTyped = at.matches('input, select, textarea, [contenteditable]') || document.querySelector('dialog[open]');
  if (isTyped || altKey || shiftKey) return undefined;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'z') return 'Control+Z';
  return key === 'Enter' && !ctrlKey && !metaKey && at.matches('body, main, h1') ? 'Enter' : undefined;
}

const isWord = (title: string) => !title.includes(' ');

/** One message; hover and focus pause its time (WCAG 2.2.1). */
function ToastCard({ toast, onEnd }: { toast: Shown; onEnd: (id: number) => void }) {
  const { id, kind, title, of, text, actions } = toast;
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => onEnd(id), actions ? stay.action : stay[kind]);
    return () => clearTimeout(timer);
  }, [id, kind, actions, isHeld, onEnd]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const pressed = actions?.find(({ shortcut }) => shortcut !== undefined && shortcut === shortcutOf(event));
      if (!pressed || event.defaultPrevented) return;
      event.preventDefault();
      pressed.act();
      onEnd(id);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [actions, id, onEnd]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the time; there is nothing to operate.
    <div
      className={classNames(styles.toast, styles[kind])}
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <strong>{title}</strong>
      {of && <span>{of}</span>}
      {text && <span>{text}</span>}
      {actions?.map(({ label, act, shortcut }) => (
        <button
          key={label}
          type="button"
          aria-keyshortcuts={shortcut}
          onClick={() => {
            act();
            onEnd(id);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
