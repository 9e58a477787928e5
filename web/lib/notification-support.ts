import { useSyncExternalStore } from 'react'

/** Whether this browser can show notifications. */
export type NotificationSupport =
  /** The browser asks the user first. */
  | 'askable'
  | 'granted'
  /** The user, or the browser, has blocked them. */
  | 'denied'
  /** iPhones and iPads show those of installed apps only. */
  | 'needs-installation'
  /** The browser is too old, the window is private, or the page came over plain http. */
  | 'unsupported'

/** Whether this browser can show notifications, at least once the user has allowed it. */
export function isPossible(support: NotificationSupport): support is 'askable' | 'granted' {
  return support === 'askable' || support === 'granted'
}

/** Whether this is an iPhone or an iPad. They also name themselves Macs, which have no touch screens. */
export function isAppleMobile(): boolean {
  return navigator.vendor.startsWith('Apple') && navigator.maxTouchPoints > 1
}

/** Whether the app runs in a window of its own, as an installed app does. */
export function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches
}

function notificationSupport(): NotificationSupport {
  const hasPush = 'PushManager' in globalThis && 'serviceWorker' in navigator
  if (hasPush && 'Notification' in globalThis) {
    return Notification.permission === 'default' ? 'askable' : Notification.permission
  }
  return isAppleMobile() && !isInstalled() ? 'needs-installation' : 'unsupported'
}

/** Renders again when the user has changed it in the browser's own settings. */
export function useNotificationSupport(): NotificationSupport {
  return useSyncExternalStore(subscribeToPermission, notificationSupport)
}

function subscribeToPermission(listener: () => void): () => void {
  let isSubscribed = true
  let status: PermissionStatus | undefined
  const { permissions }: Partial<Navigator> = navigator
  permissions?.query({ name: 'notifications' }).then(
    (found) => {
      if (!isSubscribed) return
      status = found
      status.addEventListener('change', listener)
    },
    () => undefined,
  )
  // Where the browser tells nobody, the user comes back from its settings.
  document.addEventListener('visibilitychange', listener)
  return () => {
    isSubscribed = false
    status?.removeEventListener('change', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}
