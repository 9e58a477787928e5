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
          rev?: number
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      deletions: {
        Row: { rev: number; row_id: string; table_name: string; user_id: string }
        Insert: { rev: number; row_id: string; table_name: string; user_id: string }
        Update: { rev?: number; row_id?: string; table_name?: string; user_id?: string }
        Relationships: []
      }
      prayers: {
        Row: {
          category_id: string
          created_at: string
          id: string
          note: string | null
          person_name: string
          resolved: boolean
          rev: number
          user_id: string
        }
        Insert: {
          category_id: string
          created_at?: string
          id?: string
          note?: string | null
          person_name: string
          resolved?: boolean
          rev?: number
          user_id?: string
        }
        Update: {
          category_id?: string
          created_at?: string
          id?: string
          note?: string | null
          person_name?: string
          resolved?: boolean
          rev?: number
          user_id?: string
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
      sync_state: {
        Row: { epoch: string; floor: number; rev: number; user_id: string }
        Insert: { epoch?: string; floor?: number; rev: number; user_id: string }
        Update: { epoch?: string; floor?: number; rev?: number; user_id?: string }
        Relationships: []
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      delete_account: {
        Args: never
        Returns: undefined
      }
      export_account: {
        Args: never
        Returns: Json
      }
      import_prayers: {
        Args: { data: Json; preview: boolean }
        Returns: Json
      }
      preview_account_deletion: {
        Args: never
        Returns: Json
      }
      reorder_categories: {
        Args: { category_ids: string[] }
        Returns: undefined
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
