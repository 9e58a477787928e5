// Generated from the database by "npm run generate-types". Changes belong in supabase/migrations.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      categories: {
        Row: {
          created_at: string
          id: string
          is_visible: boolean
          name: string
          order: number
          pray_days: number | null
          rev: number
          updated_at: string
          user_id: string
        }
        Insert: {
          created_at?: string
          id?: string
          is_visible?: boolean
          name: string
          order: number
          pray_days?: number | null
          rev?: number
          updated_at?: string
          user_id?: string
        }
        Update: {
          created_at?: string
          id?: string
          is_visible?: boolean
          name?: string
          order?: number
          pray_days?: number | null
          rev?: number
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      deletions: {
        Row: { rev: number; row_id: string; row_rev: number; table_name: string; user_id: string }
        Insert: { rev: number; row_id: string; row_rev: number; table_name: string; user_id: string }
        Update: { rev?: number; row_id?: string; row_rev?: number; table_name?: string; user_id?: string }
        Relationships: []
      }
      encryption_keys: {
        Row: { counter: number; key_id: string; proof: string | null; state: string; user_id: string }
        Insert: { counter: number; key_id: string; proof?: string | null; state: string; user_id: string }
        Update: { counter?: number; key_id?: string; proof?: string | null; state?: string; user_id?: string }
        Relationships: []
      }
      prayed_days: {
        Row: { day: string; prayer_id: string; user_id: string }
        Insert: { day: string; prayer_id: string; user_id: string }
        Update: { day?: string; prayer_id?: string; user_id?: string }
        Relationships: [
          {
            foreignKeyName: 'prayed_days_prayer_id_fkey'
            columns: ['prayer_id', 'user_id']
            isOneToOne: false
            referencedRelation: 'prayers'
            referencedColumns: ['id', 'user_id']
          },
        ]
      }
      prayer_updates: {
        Row: {
          answered_on: string | null
          body: string
          created_at: string
          id: string
          prayer_id: string
          rev: number
          updated_at: string
          user_id: string
        }
        Insert: {
          answered_on?: string | null
          body: string
          created_at?: string
          id?: string
          prayer_id: string
          rev?: number
          updated_at?: string
          user_id?: string
        }
        Update: {
          answered_on?: string | null
          body?: string
          created_at?: string
          id?: string
          prayer_id?: string
          rev?: number
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'prayer_updates_prayer_id_fkey'
            columns: ['prayer_id', 'user_id']
            isOneToOne: false
            referencedRelation: 'prayers'
            referencedColumns: ['id', 'user_id']
          },
        ]
      }
      prayers: {
        Row: {
          answer: string | null
          answered_on: string | null
          category_id: string
          created_at: string
          due_on: string | null
          due_repeats: string | null
          id: string
          last_prayed_on: string | null
          note: string | null
          note_changed_at: string | null
          person_name: string
          pray_days: number | null
          resolved: boolean
          resting_until: string | null
          rev: number
          times_prayed: number
          user_id: string
          written_rev: number | null
        }
        Insert: {
          answer?: string | null
          answered_on?: string | null
          category_id: string
          created_at?: string
          due_on?: string | null
          due_repeats?: string | null
          id?: string
          last_prayed_on?: string | null
          note?: string | null
          note_changed_at?: string | null
          person_name: string
          pray_days?: number | null
          resolved?: boolean
          resting_until?: string | null
          rev?: number
          times_prayed?: number
          user_id?: string
          written_rev?: number | null
        }
        Update: {
          answer?: string | null
          answered_on?: string | null
          category_id?: string
          created_at?: string
          due_on?: string | null
          due_repeats?: string | null
          id?: string
          last_prayed_on?: string | null
          note?: string | null
          note_changed_at?: string | null
          person_name?: string
          pray_days?: number | null
          resolved?: boolean
          resting_until?: string | null
          rev?: number
          times_prayed?: number
          user_id?: string
          written_rev?: number | null
        }
        Relationships: [
          {
            foreignKeyName: 'prayers_category_id_fkey'
            columns: ['category_id', 'user_id']
            isOneToOne: false
            referencedRelation: 'categories'
            referencedColumns: ['id', 'user_id']
          },
        ]
      }
      reminders: {
        Row: {
          by_email: boolean
          by_push: boolean
          created_at: string
          email_refused_at: string | null
          enabled: boolean
          id: string
          next_at: string | null
          remind_at: string
          skipped_on: string | null
          time_zone: string
          user_id: string
          weekdays: number
        }
        Insert: {
          by_email?: boolean
          by_push?: boolean
          created_at?: string
          email_refused_at?: string | null
          enabled?: boolean
          id?: string
          next_at?: string | null
          remind_at: string
          skipped_on?: string | null
          time_zone: string
          user_id?: string
          weekdays: number
        }
        Update: {
          by_email?: boolean
          by_push?: boolean
          created_at?: string
          email_refused_at?: string | null
          enabled?: boolean
          id?: string
          next_at?: string | null
          remind_at?: string
          skipped_on?: string | null
          time_zone?: string
          user_id?: string
          weekdays?: number
        }
        Relationships: []
      }
      sync_state: {
        Row: { epoch: string; floor: number; key: string; restores: Json; rev: number; user_id: string }
        Insert: {
          epoch?: string
          floor?: number
          key?: string
          restores?: Json
          rev: number
          user_id: string
        }
        Update: {
          epoch?: string
          floor?: number
          key?: string
          restores?: Json
          rev?: number
          user_id?: string
        }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      abandon_encryption_key: {
        Args: { key_id: string; counter: number; category_names: Json }
        Returns: undefined
      }
      delete_account: {
        Args: never
        Returns: undefined
      }
      end_session: {
        Args: { session_id: string }
        Returns: undefined
      }
      export_account: {
        Args: never
        Returns: Json
      }
      export_supplement: {
        Args: never
        Returns: Json
      }
      import_prayers: {
        Args: { data: Json; preview: boolean }
        Returns: Json
      }
      import_sealed: {
        Args: { data: Json }
        Returns: Json
      }
      list_sessions: {
        Args: never
        Returns: Json
      }
      mark_prayed: {
        Args: { prayer_ids: string[]; prayed_on: string }
        Returns: undefined
      }
      prayed_months: {
        Args: { prayer_id: string }
        Returns: Json
      }
      prayed_prayers: {
        Args: never
        Returns: Json
      }
      prayed_years: {
        Args: never
        Returns: Json
      }
      preview_account_deletion: {
        Args: never
        Returns: Json
      }
      reopen_prayer: {
        Args: { prayer_id: string; update_id: string; reopened_at: string }
        Returns: undefined
      }
      reorder_categories: {
        Args: { category_ids: string[] }
        Returns: undefined
      }
      replace_texts: {
        Args: { rows: Json }
        Returns: Json
      }
      set_encryption_key: {
        Args: { key_id: string; state: string; counter: number; proof: string }
        Returns: undefined
      }
      undo_reopen_prayer: {
        Args: { prayer_id: string; update_id: string }
        Returns: undefined
      }
      unmark_prayed: {
        Args: { prayer_ids: string[]; prayed_on: string }
        Returns: undefined
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
