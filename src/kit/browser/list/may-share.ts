import { createContext } from 'react';

/** Whether the user shares views of lists with everyone, and removes shared ones. */
export const MayShare = createContext(false);
